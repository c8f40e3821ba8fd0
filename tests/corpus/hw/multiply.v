// Multiplication by shift and add gives the product. Bug: the last bit is left out.
module top(input clk, input start, input [3:0] x, input [3:0] y);
  reg [3:0] a = 0, b = 0;
  reg [7:0] sum = 0, shifted = 0;
  reg [3:0] rest = 0;
  reg [2:0] step = 5;
`ifdef BUG
  localparam LAST = 3;
`else
  localparam LAST = 4;
`endif
  always @(posedge clk) begin
    if (step == 5 && start) begin
      a <= x; b <= y; sum <= 0; shifted <= x; rest <= y; step <= 0;
    end else if (step < LAST) begin
      if (rest[0]) sum <= sum + shifted;
      shifted <= shifted << 1;
      rest <= rest >> 1;
      step <= step + 1;
    end else step <= 5;
  end
  always @* if (step == LAST) assert (sum == a * b);
endmodule
