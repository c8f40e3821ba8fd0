// A Gray counter: neighbours differ in one bit. Bug: the shift has the wrong distance.
module top(input clk, input en);
  reg [3:0] n = 0;
  reg [3:0] last = 0;
  reg seen = 0;
`ifdef BUG
  wire [3:0] code = n ^ (n >> 2);
`else
  wire [3:0] code = n ^ (n >> 1);
`endif
  wire [3:0] changed = code ^ last;
  always @(posedge clk) begin
    if (en) n <= n + 1;
    last <= code;
    seen <= 1;
  end
  always @* if (seen) assert ((changed & (changed - 1)) == 0);
endmodule
