// A linear feedback shift register never becomes zero. Bug: a load does not exclude zero.
module top(input clk, input load, input [7:0] in);
  reg [7:0] s = 1;
  wire bit = s[7] ^ s[5] ^ s[4] ^ s[3];
`ifdef BUG
  wire ok = 1;
`else
  wire ok = in != 0;
`endif
  always @(posedge clk) s <= (load && ok) ? in : {s[6:0], bit};
  always @* assert (s != 0);
endmodule
