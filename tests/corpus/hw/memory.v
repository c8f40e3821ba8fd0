// A memory gives back what was written last. Bug: one address is aliased.
module top(input clk, input we, input [2:0] wa, input [2:0] ra, input [3:0] in, input [2:0] pick);
  reg [3:0] mem [0:7];
  reg valid = 0;
  reg chosen = 0;
  reg [2:0] where = 0;
  reg [3:0] what = 0;
`ifdef BUG
  wire [2:0] real_wa = (wa == 6 && in == 9) ? 2 : wa;
`else
  wire [2:0] real_wa = wa;
`endif
  always @(posedge clk) begin
    if (!chosen) begin chosen <= 1; where <= pick; end
    if (we) mem[real_wa] <= in;
    if (chosen && we && wa == where) begin valid <= 1; what <= in; end
  end
  always @* if (valid && ra == where) assert (mem[ra] == what);
endmodule
