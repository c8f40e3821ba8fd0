// A ring of eight with one token. Bug: a reset inside of a turn adds one.
module top(input clk, input turn, input clear);
  reg [7:0] ring = 1;
  always @(posedge clk)
`ifdef BUG
    if (clear && ring[6]) ring <= ring | 1;
`else
    if (clear && ring[6]) ring <= 1;
`endif
    else if (turn) ring <= {ring[6:0], ring[7]};
  always @* assert (ring != 0 && (ring & (ring - 1)) == 0);
endmodule
