// Two ways to delay a word by four steps agree. Bug: the ring is one word too long.
module top(input clk, input [1:0] in);
  reg [1:0] a = 0, b = 0, c = 0, d = 0;
  reg [1:0] r0 = 0, r1 = 0, r2 = 0, r3 = 0, r4 = 0;
  reg [2:0] at = 0;
`ifdef BUG
  localparam LAST = 4;
`else
  localparam LAST = 3;
`endif
  wire [1:0] out = at == 0 ? r0 : at == 1 ? r1 : at == 2 ? r2 : at == 3 ? r3 : r4;
  always @(posedge clk) begin
    a <= in; b <= a; c <= b; d <= c;
    case (at)
      0: r0 <= in;
      1: r1 <= in;
      2: r2 <= in;
      3: r3 <= in;
      default: r4 <= in;
    endcase
    at <= (at == LAST) ? 0 : at + 1;
  end
  always @* assert (out == d);
endmodule
