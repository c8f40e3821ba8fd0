// An accumulator and its inverse operation agree. Bug: subtraction borrows twice.
module top(input clk, input [1:0] op, input [5:0] x);
  reg [5:0] acc = 0, shadow = 0, back = 0;
  reg [1:0] done = 3;
  always @(posedge clk) begin
    shadow <= acc;
    back <= x;
    done <= op;
    case (op)
      0: acc <= acc + x;
`ifdef BUG
      1: acc <= acc - x - (x[5] & acc[0]);
`else
      1: acc <= acc - x;
`endif
      2: acc <= acc ^ x;
      default: acc <= acc;
    endcase
  end
  wire [5:0] undone = done == 0 ? acc - back : done == 1 ? acc + back : done == 2 ? acc ^ back : acc;
  always @* assert (undone == shadow);
endmodule
