// Counts to nine and starts again. Bug: it starts again too late.
module top(input clk, input en);
  reg [3:0] n = 0;
`ifdef BUG
  localparam LAST = 11;
`else
  localparam LAST = 9;
`endif
  always @(posedge clk) if (en) n <= (n == LAST) ? 0 : n + 1;
  always @* assert (n <= 9);
endmodule
