// Four-phase handshake with a receiver that follows the protocol; data stays while requested.
// Bug: the sender changes data when it is acknowledged late.
module top(input clk, input start, input ack, input [3:0] in);
  reg req = 0;
  reg [3:0] data = 0, copy = 0;
  reg holding = 0, late = 0, last_ack = 0;
  reg [1:0] waited = 0;
  always @(posedge clk) begin
    last_ack <= ack;
    if (!req && start && !ack) begin req <= 1; data <= in; waited <= 0; end
    else if (req && ack) req <= 0;
    else if (req && waited != 3) waited <= waited + 1;
`ifdef BUG
    if (req && !ack && waited == 3) data <= data + 1;
`endif
    holding <= req && !ack;
    copy <= data;
  end
  always @* begin
    // The receiver acknowledges only what is requested, and keeps it until it is withdrawn.
    assume (!ack || req || last_ack);
    if (holding) assert (req && data == copy);
  end
endmodule
