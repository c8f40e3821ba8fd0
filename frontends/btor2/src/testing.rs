//! Random models over every operator, random values and mutants, all from a seed.

use crate::model::{Justice, Model, Property, Ref};
use crate::op::Op;
use trellis_ivl::{ArrayValue, Type, Value};
pub use trellis_ivl_testing::Rng;
use trellis_ivl_testing::generate::bv;

fn below(rng: &mut Rng, bound: u32) -> u32 {
    rng.below(bound as usize) as u32
}

/// A random value of a sort.
pub fn random_value(rng: &mut Rng, ty: Type) -> Value {
    match ty {
        Type::Bool => Value::Bool(rng.chance(50)),
        Type::Bv(width) => bv(rng, width).into(),
        Type::Array { index, elem } => {
            let mut array = ArrayValue::constant(index, bv(rng, elem));
            for _ in 0..rng.below(4) {
                array = array.store(bv(rng, index), bv(rng, elem));
            }
            array.into()
        }
    }
}

/// A random well-typed model that uses every feature now and then.
pub fn random_model(rng: &mut Rng) -> Model {
    let mut maker = Maker {
        model: Model::default(),
        on_input: Vec::new(),
    };
    let widths = [
        1,
        *rng.pick(&[1, 2, 3, 4]),
        *rng.pick(&[5, 8, 33, 64, 65, 130]),
    ];
    let mut types: Vec<Type> = widths.into_iter().map(Type::Bv).collect();
    if rng.chance(50) {
        types.push(Type::Array {
            index: widths[1],
            elem: *rng.pick(&widths),
        });
    }
    for &ty in &types {
        maker.leaf(rng, ty);
    }
    for _ in 0..5 + rng.below(40) {
        if rng.chance(25) {
            let ty = *rng.pick(&types);
            maker.leaf(rng, ty);
        } else {
            maker.operation(rng);
        }
    }
    maker.finish(rng)
}

struct Maker {
    model: Model,
    on_input: Vec<bool>,
}

impl Maker {
    fn nodes(&self) -> u32 {
        self.model.nodes.len() as u32
    }

    fn any(&self, rng: &mut Rng) -> Ref {
        let node = below(rng, self.nodes());
        let array = self.model.nodes[node as usize].ty.is_array();
        Ref::new(node, !array && rng.chance(20))
    }

    /// A reference to some node of a sort, if the model has one.
    fn of(&self, rng: &mut Rng, wanted: impl Fn(Type) -> bool) -> Option<Ref> {
        let tries = (0..20).map(|_| self.any(rng)).collect::<Vec<Ref>>();
        tries.into_iter().find(|&r| wanted(self.model.ty(r)))
    }

    fn leaf(&mut self, rng: &mut Rng, ty: Type) {
        let node = match (ty, rng.below(3)) {
            (_, 0) => self.model.add_input(ty),
            (Type::Bv(width), 1) => self.model.add_const(bv(rng, width)),
            _ => self.model.add_state(ty),
        };
        let op = self.model.nodes[node.node() as usize].op;
        self.on_input.push(op == Op::Input);
    }

    fn operation(&mut self, rng: &mut Rng) {
        let ops: Vec<Op> = Op::all().collect();
        let op = *rng.pick(&ops);
        // The first operand decides which others fit.
        let wants_array = matches!(op, Op::Read | Op::Write);
        let Some(a) = self.of(rng, |ty| ty.is_array() == wants_array || op == Op::Eq) else {
            return;
        };
        let ty = self.model.ty(a);
        let (b, c) = match (op, ty) {
            (Op::Ite, _) => {
                let b = self.any(rng);
                let wanted = self.model.ty(b);
                (Some(b), self.of(rng, |t| t == wanted))
            }
            (Op::Concat, _) => (self.of(rng, |t| !t.is_array()), None),
            (_, Type::Array { index, elem }) if wants_array => {
                let b = self.of(rng, |t| t == Type::Bv(index));
                (b, self.of(rng, |t| t == Type::Bv(elem)))
            }
            _ => (self.of(rng, |t| t == ty), None),
        };
        let args: Vec<Ref> = [Some(a), b, c].into_iter().flatten().collect();
        if args.len() < op.operands() {
            return;
        }
        let args = &args[..op.operands()];
        let types: Vec<Type> = args.iter().map(|&arg| self.model.ty(arg)).collect();
        let width = ty.width().unwrap_or(1);
        let numbers = match op {
            Op::Slice => {
                let upper = below(rng, width);
                [upper, below(rng, upper + 1)]
            }
            Op::Uext | Op::Sext => [below(rng, 5), 0],
            _ => [0, 0],
        };
        if let Ok(result) = op.result(&types, numbers) {
            let on_input = args.iter().any(|arg| self.on_input[arg.node() as usize]);
            self.model.add(op, result, args, numbers);
            self.on_input.push(on_input);
        }
    }

    fn finish(mut self, rng: &mut Rng) -> Model {
        for i in 0..self.model.states.len() {
            let node = self.model.states[i].node;
            let ty = self.model.nodes[node as usize].ty;
            if !rng.chance(25) {
                self.model.states[i].next = self.of(rng, |t| t == ty);
            }
            let fill = |r: Ref| {
                let value = self.model.nodes[r.node() as usize];
                matches!(ty, Type::Array { elem, .. } if value.ty == Type::Bv(elem))
                    && value.op == Op::Const
            };
            let fits = |r: Ref| {
                r.node() < node
                    && !self.on_input[r.node() as usize]
                    && (self.model.ty(r) == ty || fill(r))
            };
            let tries: Vec<Ref> = (0..20).map(|_| self.any(rng)).collect();
            self.model.states[i].init = tries.into_iter().find(|&r| fits(r));
        }
        let one_bit = |maker: &Maker, rng: &mut Rng| maker.of(rng, |t| t == Type::Bv(1));
        let name = |rng: &mut Rng| rng.chance(33).then(|| format!("name{}", rng.below(50)));
        for kind in 0..4 {
            for _ in 0..rng.below(3) {
                let value = match kind {
                    3 => Some(self.any(rng)),
                    _ => one_bit(&self, rng),
                };
                let Some(value) = value else { continue };
                let list = match kind {
                    0 => &mut self.model.bads,
                    1 => &mut self.model.constraints,
                    2 => &mut self.model.fairs,
                    _ => &mut self.model.outputs,
                };
                list.push(Property {
                    value,
                    name: name(rng),
                });
            }
        }
        if rng.chance(25) {
            let values: Vec<Ref> = (0..1 + rng.below(3))
                .filter_map(|_| one_bit(&self, rng))
                .collect();
            if !values.is_empty() {
                self.model.justice.push(Justice {
                    values,
                    name: name(rng),
                });
            }
        }
        for node in 0..self.nodes() {
            if rng.chance(25) {
                self.model
                    .names
                    .insert(node, format!("n{node}.x[{}]", rng.below(9)));
            }
        }
        self.model
    }
}

/// A file with a few random changes, among them tokens of the format.
pub fn mutate(file: &[u8], rng: &mut Rng) -> Vec<u8> {
    const TOKENS: [&str; 12] = [
        "0",
        "1",
        "-",
        " ",
        "\n",
        "4294967295",
        "99999999999999999999",
        " ; x\n",
        "sort",
        "init",
        "array",
        "[",
    ];
    trellis_ivl_testing::damaged(file, &TOKENS, rng)
}
