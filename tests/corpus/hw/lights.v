// Two traffic lights are never both green. Bug: a pedestrian shortens the wrong phase.
module top(input clk, input button);
  localparam RED = 0, GREEN = 1, AMBER = 2;
  reg [1:0] north = RED, east = GREEN;
  reg [2:0] timer = 0;
  wire over = timer == 5 || (button && timer > 2);
  always @(posedge clk) begin
    timer <= over ? 0 : timer + 1;
    if (over) begin
      if (east == GREEN) east <= AMBER;
      else if (east == AMBER) begin east <= RED; north <= GREEN; end
      else if (north == GREEN) north <= AMBER;
      else begin north <= RED; east <= GREEN; end
`ifdef BUG
      if (button && east == AMBER && timer == 5) east <= GREEN;
`endif
    end
  end
  always @* assert (north == RED || east == RED);
endmodule
