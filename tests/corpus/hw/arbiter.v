// Three clients, at most one is granted. Bug: the token splits when nobody asks.
module top(input clk, input [2:0] req);
  reg [2:0] token = 3'b001;
  wire [2:0] grant = req & token;
  wire [2:0] turned = {token[1:0], token[2]};
`ifdef BUG
  always @(posedge clk) token <= (req == 0) ? (token | turned) : turned;
`else
  always @(posedge clk) if (grant == 0) token <= turned;
`endif
  always @* assert ((grant & (grant - 1)) == 0);
endmodule
