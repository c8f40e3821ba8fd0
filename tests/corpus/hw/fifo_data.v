// What is put into a queue of four words comes out unchanged. Bug: reading while writing skips a word.
module top(input clk, input push, input pop, input [3:0] in, input watch);
  reg [3:0] store [0:3];
  reg [2:0] head = 0, tail = 0;
  wire full = head == {~tail[2], tail[1:0]}, empty = head == tail;
  wire put = push && !full, take = pop && !empty;
  reg watched = 0, over = 0;
  reg [3:0] value = 0;
  reg [2:0] place = 0;
  always @(posedge clk) begin
    if (put) begin
      store[head[1:0]] <= in;
      head <= head + 1;
      if (watch && !watched) begin watched <= 1; value <= in; place <= head; end
    end
`ifdef BUG
    if (take) tail <= tail + (put && full ? 2 : 1) + (put && take && tail[1:0] == 3);
`else
    if (take) tail <= tail + 1;
`endif
    if (watched && take && tail == place) over <= 1;
  end
  wire [2:0] ahead = head - place, behind = place - tail;
  always @* begin
    if (watched && !over) assert (ahead <= 4 && ahead != 0 && behind < 4);
    if (watched && !over && take && tail == place) assert (store[tail[1:0]] == value);
  end
endmodule
