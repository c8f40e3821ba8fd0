// A register that starts with any value is cleared before it counts. Bug: the clearing can be skipped.
module top(input clk, input skip);
  reg [4:0] n;
  reg ready = 0;
  always @(posedge clk)
`ifdef BUG
    if (!ready) begin ready <= 1; if (!skip) n <= 0; end
`else
    if (!ready) begin ready <= 1; n <= 0; end
`endif
    else if (n < 20) n <= n + 1;
  always @* if (ready) assert (n <= 20);
endmodule
