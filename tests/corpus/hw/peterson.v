// Peterson's mutual exclusion of two processes, one step at a time. Bug: the flag is raised too late.
module top(input clk, input who, input want);
  reg [1:0] pc0 = 0, pc1 = 0;
  reg flag0 = 0, flag1 = 0, turn = 0;
  always @(posedge clk)
    if (!who) case (pc0)
      0: if (want) begin
`ifndef BUG
        flag0 <= 1;
`endif
        pc0 <= 1;
      end
      1: begin turn <= 1; pc0 <= 2; end
      2: if (!flag1 || turn == 0) begin flag0 <= 1; pc0 <= 3; end
      3: begin flag0 <= 0; pc0 <= 0; end
    endcase
    else case (pc1)
      0: if (want) begin
`ifndef BUG
        flag1 <= 1;
`endif
        pc1 <= 1;
      end
      1: begin turn <= 0; pc1 <= 2; end
      2: if (!flag0 || turn == 1) begin flag1 <= 1; pc1 <= 3; end
      3: begin flag1 <= 0; pc1 <= 0; end
    endcase
  always @* assert (!(pc0 == 3 && pc1 == 3));
endmodule
