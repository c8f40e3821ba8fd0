//! What solvers answer: values, models and cores.
//!
//! A value is read as a closed term and evaluated, so `store` chains, `let`, `(as const ...)`, `lambda` with
//! `ite`, and `(_ as-array f)` are all one case.

use crate::read::{Function, ReadError, Scope, TermReader, literal, meaning, read_type};
use crate::sexpr::{Forest, Node};
use std::collections::BTreeMap;
use trellis_ivl::{TermPool, Type, Value};

/// The values in the answer to `get-value` for terms of these types, in their order.
pub fn read_values(text: &str, types: &[Type]) -> Result<Vec<Value>, ReadError> {
    let forest = Forest::parse(text)?;
    let root = single(&forest)?;
    let pairs = forest.list(root).unwrap_or_default();
    if pairs.len() != types.len() {
        return Err(meaning(&forest, root, "not as many values as asked for"));
    }
    let mut scope = Scope::new();
    let read = |(&pair, &ty): (&Node, &Type)| match forest.list(pair) {
        Some(&[_, value]) => read_value(&forest, &mut scope, value, ty),
        _ => Err(meaning(&forest, pair, "not a term and its value")),
    };
    pairs.iter().zip(types).map(read).collect()
}

/// The values of the constants in the answer to `get-model`, by name.
pub fn read_model(text: &str) -> Result<BTreeMap<String, Value>, ReadError> {
    let forest = Forest::parse(text)?;
    let root = single(&forest)?;
    let mut definitions = forest.list(root).unwrap_or_default();
    // Older solvers write `(model (define-fun ...) ...)`.
    if let [first, rest @ ..] = definitions
        && forest.atom(*first) == Some("model")
    {
        definitions = rest;
    }
    let mut scope = Scope::new();
    let mut constants = Vec::new();
    for &definition in definitions {
        match forest.list(definition) {
            Some(&[head, name, params, ty, body])
                if matches!(forest.atom(head), Some("define-fun" | "define-fun-rec")) =>
            {
                let (Some(name), Some(params)) = (forest.atom(name), forest.list(params)) else {
                    return Err(meaning(&forest, definition, "not a definition"));
                };
                match params {
                    [] => constants.push((name, read_type(&forest, ty)?, body)),
                    &[param] => {
                        let function = unary(&forest, param, body)?;
                        scope.functions.insert(name.to_string(), function);
                    }
                    _ => {} // A function of more arguments is no value of ours.
                }
            }
            _ => {} // Declarations of sorts and cardinalities.
        }
    }
    let mut model = BTreeMap::new();
    for (name, ty, body) in constants {
        let value = read_value(&forest, &mut scope, body, ty)?;
        model.insert(name.to_string(), value);
    }
    Ok(model)
}

fn unary(forest: &Forest<'_>, param: Node, body: Node) -> Result<Function, ReadError> {
    if let Some(&[name, ty]) = forest.list(param)
        && let Some(name) = forest.atom(name)
        && let Type::Bv(index) = read_type(forest, ty)?
    {
        return Ok(Function {
            parameter: name.to_string(),
            index,
            body,
        });
    }
    Err(meaning(forest, param, "not a bit-vector parameter"))
}

/// The literals in the answer to `get-unsat-assumptions` or `get-unsat-core`: a name and whether it is
/// positive.
pub fn read_core(text: &str) -> Result<Vec<(String, bool)>, ReadError> {
    let forest = Forest::parse(text)?;
    let root = single(&forest)?;
    let Some(elements) = forest.list(root) else {
        return Err(meaning(&forest, root, "not a core"));
    };
    let read = |&node: &Node| match (forest.atom(node), forest.list(node)) {
        (Some(name), _) => Ok((name.to_string(), true)),
        (_, Some(&[not, name])) if forest.atom(not) == Some("not") => match forest.atom(name) {
            Some(name) => Ok((name.to_string(), false)),
            None => Err(meaning(&forest, node, "not a literal")),
        },
        _ => Err(meaning(&forest, node, "not a literal")),
    };
    elements.iter().map(read).collect()
}

fn single(forest: &Forest<'_>) -> Result<Node, ReadError> {
    match *forest.roots() {
        [root] => Ok(root),
        _ => Err(ReadError::Meaning {
            message: "one s-expression was expected".to_string(),
            excerpt: format!("{} were found", forest.roots().len()),
        }),
    }
}

fn read_value(
    forest: &Forest<'_>,
    scope: &mut Scope,
    node: Node,
    ty: Type,
) -> Result<Value, ReadError> {
    let value = match forest.atom(node) {
        Some("true") => Value::Bool(true),
        Some("false") => Value::Bool(false),
        Some(text) if text.starts_with('#') => match literal(text) {
            Some(v) => Value::Bv(v),
            None => return Err(meaning(forest, node, "not a literal")),
        },
        _ => {
            let mut pool = TermPool::new();
            let reader = &mut TermReader {
                pool: &mut pool,
                scope,
                forest,
            };
            let t = reader.term(node)?;
            if pool.free_vars([t]).is_empty() {
                pool.eval(t, |_| unreachable!("no variable is free"))
            } else {
                return Err(meaning(forest, node, "not a closed value"));
            }
        }
    };
    if value.ty() != ty {
        let message = format!("a value of type {ty} was expected");
        return Err(meaning(forest, node, message));
    }
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(ty: Type, text: &str, expected: &str) {
        let shown = match read_values(&format!("((x {text}))"), &[ty]) {
            Ok(values) => values[0].to_string(),
            Err(e) => e.to_string(),
        };
        assert_eq!(shown, expected, "{text}");
    }

    const ARRAY: Type = Type::Array { index: 4, elem: 8 };
    const SORT: &str = "(Array (_ BitVec 4) (_ BitVec 8))";

    #[test]
    fn scalars() {
        check(Type::Bool, "true", "true");
        check(Type::Bv(8), "#xa5", "165bv8");
        check(Type::Bv(3), "#b101", "5bv3");
        check(Type::Bv(70), "(_ bv1180591620717411303424 70)", "0bv70");
        check(Type::Bv(8), "#b1", "a value of type bv8 was expected: #b1");
        check(Type::Bv(8), "y", "unknown symbol: y");
        check(Type::Bv(8), "(_ bvx 8)", "not a constant: (_ bvx 8)");
        check(Type::Bv(8), "#b", "not a literal: #b");
    }

    #[test]
    fn arrays() {
        let constant = format!("((as const {SORT}) #x07)");
        check(ARRAY, &constant, "{else 7bv8}");
        let chain = format!("(store (store {constant} #x1 #x01) #x2 #x02)");
        check(ARRAY, &chain, "{1bv4: 1bv8, 2bv4: 2bv8, else 7bv8}");
        let bound = format!("(let ((a!1 {constant})) (store a!1 #x1 #x01))");
        check(ARRAY, &bound, "{1bv4: 1bv8, else 7bv8}");
        let table = "(lambda ((x!1 (_ BitVec 4))) (ite (= x!1 #xf) #x01 (ite (or (= #xd x!1) \
                     (= x!1 #xe)) #x02 #x00)))";
        check(
            ARRAY,
            table,
            "{13bv4: 2bv8, 14bv4: 2bv8, 15bv4: 1bv8, else 0bv8}",
        );
        let over = format!("(store {table} #xf #x00)");
        check(ARRAY, &over, "{13bv4: 2bv8, 14bv4: 2bv8, else 0bv8}");
        let computed = "(lambda ((i (_ BitVec 4))) (concat #x0 (bvor i #xe)))";
        check(
            ARRAY,
            computed,
            "{1bv4: 15bv8, 3bv4: 15bv8, 5bv4: 15bv8, 7bv4: 15bv8, 9bv4: 15bv8, \
             11bv4: 15bv8, 13bv4: 15bv8, 15bv4: 15bv8, else 14bv8}",
        );
        let deep = format!(
            "{}{constant}{}",
            "(store ".repeat(90_000),
            " #x1 #x01)".repeat(90_000)
        );
        check(ARRAY, &deep, "{1bv4: 1bv8, else 7bv8}");
    }

    #[test]
    fn models_and_cores() {
        let text = format!(
            "((define-fun a () {SORT} (_ as-array k!0)) (define-fun |b c| () Bool true)
              (define-fun k!0 ((x!0 (_ BitVec 4))) (_ BitVec 8) (ite (= x!0 #x3) #x01 #x00)))"
        );
        let model = read_model(&text).expect("a model");
        let shown: Vec<String> = model.iter().map(|(n, v)| format!("{n}={v}")).collect();
        assert_eq!(shown, ["a={3bv4: 1bv8, else 0bv8}", "b c=true"]);
        let core = read_core("(p!1 (not q) |r s|)").expect("a core");
        let core: Vec<_> = core.iter().map(|(n, p)| (n.as_str(), *p)).collect();
        assert_eq!(core, [("p!1", true), ("q", false), ("r s", true)]);
        assert!(read_core("(error \"no core\")").is_err());
    }
}
