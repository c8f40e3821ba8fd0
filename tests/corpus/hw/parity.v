// A running parity against the parity of the word that was shifted in. Bug: a stalled bit counts.
module top(input clk, input bit, input stall);
  reg [5:0] word = 0;
  reg parity = 0;
  always @(posedge clk) begin
    if (!stall) word <= {word[4:0], bit};
`ifdef BUG
    parity <= parity ^ (stall ? (bit & word[5] & word[0]) : (bit ^ word[5]));
`else
    parity <= parity ^ (stall ? 1'b0 : (bit ^ word[5]));
`endif
  end
  always @* assert (parity == ^word);
endmodule
