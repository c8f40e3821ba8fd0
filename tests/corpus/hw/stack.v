// A stack whose user never pops from nothing. Bug: two pops at once are not refused.
module top(input clk, input push, input pop, input twice);
  reg [3:0] depth = 0;
  wire empty = depth == 0, full = depth == 8;
`ifdef BUG
  wire [1:0] down = twice ? 2 : 1;
`else
  wire [1:0] down = twice && depth > 1 ? 2 : 1;
`endif
  always @(posedge clk) begin
    if (push && !pop && !full) depth <= depth + 1;
    if (pop && !push) depth <= depth - down;
  end
  always @* begin
    assume (!(pop && empty));
    assert (depth <= 8);
  end
endmodule
