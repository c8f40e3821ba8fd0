// Restoring division: quotient and rest fit. Bug: the comparison is strict.
module top(input clk, input start, input [3:0] x, input [3:0] y);
  reg [3:0] n = 0, d = 1, q = 0, work = 0;
  reg [4:0] r = 0;
  reg [2:0] step = 5;
  wire [4:0] next = {r[3:0], work[3]};
`ifdef BUG
  wire fits = next > d;
`else
  wire fits = next >= d;
`endif
  always @(posedge clk) begin
    if (step == 5) begin
      if (start && y != 0) begin n <= x; d <= y; q <= 0; r <= 0; work <= x; step <= 0; end
    end else if (step < 4) begin
      r <= fits ? next - d : next;
      q <= {q[2:0], fits};
      work <= work << 1;
      step <= step + 1;
    end else step <= 5;
  end
  wire [7:0] product = q * d;
  always @* if (step == 4) assert (product + r == n && r < d);
endmodule
