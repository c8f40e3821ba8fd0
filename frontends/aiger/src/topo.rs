//! Orders the gates of an ASCII file, which may come in any order, operands first.
//!
//! Depth-first with an explicit stack: gate chains are as long as files are large. Gates that are
//! in order already keep it.

/// A gate whose operands lead back to itself.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Cycle {
    pub gate: u32,
}

const UNSEEN: u32 = u32::MAX;
const OPEN: u32 = u32::MAX - 1;

/// The position of each gate in an order with operands first. `operand(gate, side)` names the gate
/// that an operand refers to, or none for an input, latch or constant.
pub(crate) fn positions(
    gates: u32,
    operand: impl Fn(u32, usize) -> Option<u32>,
) -> Result<Vec<u32>, Cycle> {
    let mut position = vec![UNSEEN; gates as usize];
    let mut placed = 0;
    // Gates on the path from the root, and how many of their operands have been visited.
    let mut path: Vec<(u32, usize)> = Vec::new();
    for root in 0..gates {
        if position[root as usize] != UNSEEN {
            continue;
        }
        position[root as usize] = OPEN;
        path.push((root, 0));
        while let Some((gate, visited)) = path.last_mut() {
            if *visited == 2 {
                position[*gate as usize] = placed;
                placed += 1;
                path.pop();
                continue;
            }
            let below = operand(*gate, *visited);
            *visited += 1;
            let Some(below) = below else { continue };
            match position[below as usize] {
                OPEN => return Err(Cycle { gate: below }),
                UNSEEN => {
                    position[below as usize] = OPEN;
                    path.push((below, 0));
                }
                _ => {}
            }
        }
    }
    Ok(position)
}
