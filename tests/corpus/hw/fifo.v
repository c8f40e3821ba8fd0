// Pointers and count of a queue agree. Bug: a write into a full queue moves the pointer.
module top(input clk, input push, input pop);
  reg [2:0] head = 0, tail = 0;
  reg [3:0] count = 0;
  wire full = count == 8, empty = count == 0;
  wire take = pop && !empty;
`ifdef BUG
  wire put = push && (!full || pop);
  wire advance = push;
`else
  wire put = push && !full;
  wire advance = put;
`endif
  always @(posedge clk) begin
    if (advance) head <= head + 1;
    if (take) tail <= tail + 1;
    count <= count + put - take;
  end
  wire [2:0] used = head - tail;
  always @* assert (used == count[2:0] && count <= 8);
endmodule
