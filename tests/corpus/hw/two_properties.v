// Two properties with names; the bug breaks the second alone.
module top(input clk, input en);
  reg [2:0] n = 0, m = 0;
  always @(posedge clk) if (en) begin
    n <= (n == 4) ? 0 : n + 1;
`ifdef BUG
    m <= (m == 5) ? 0 : m + 1;
`else
    m <= (n == 4) ? 0 : m + 1;
`endif
  end
  always @* begin
    small: assert (n < 5);
    equal: assert (n == m || n > 4);
  end
endmodule
