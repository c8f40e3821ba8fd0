// A counter that saturates on both sides. Bug: steps of two jump over the border.
module top(input clk, input up, input down, input two);
  reg signed [4:0] n = 0;
`ifdef BUG
  wire signed [4:0] by = two ? 2 : 1;
`else
  wire signed [4:0] by = two && n < 7 && n > -8 + 1 ? 2 : 1;
`endif
  always @(posedge clk) begin
    if (up && !down && n < 8) n <= n + by;
    if (down && !up && n > -8) n <= n - by;
  end
  always @* assert (n >= -8 && n <= 8);
endmodule
