// A line is never dirty and invalid, in two caches never dirty in both. Bug: a read does not write back.
module top(input clk, input who, input write, input evict);
  localparam I = 0, S = 1, M = 2;
  reg [1:0] a = I, b = I;
  always @(posedge clk)
    if (evict) begin
      if (who) b <= I; else a <= I;
    end else if (write) begin
      if (who) begin b <= M; a <= I; end else begin a <= M; b <= I; end
    end else begin
`ifdef BUG
      if (who) begin if (b == I) b <= S; end
      else begin if (a == I) a <= S; if (b == M) b <= S; end
`else
      if (who) begin if (b == I) b <= S; if (a == M) a <= S; end
      else begin if (a == I) a <= S; if (b == M) b <= S; end
`endif
    end
  always @* assert (!(a == M && b != I) && !(b == M && a != I) && a != 3 && b != 3);
endmodule
