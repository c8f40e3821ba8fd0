//! Clauses in the order in which they were given: what a refutation is about.

/// A formula in conjunctive normal form. Literals are DIMACS numbers: a variable from 1, negative when negated.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Formula {
    variables: u32,
    clauses: usize,
    /// The clauses one after the other, each ended by 0.
    literals: Vec<i32>,
}

impl Formula {
    /// Adds a clause. Repeated and opposite literals are allowed.
    ///
    /// # Panics
    /// When a literal is 0 or `i32::MIN`, which are none.
    pub fn add_clause(&mut self, clause: impl IntoIterator<Item = i32>) {
        for lit in clause {
            assert!(lit != 0 && lit != i32::MIN, "{lit} is no literal");
            self.variables = self.variables.max(lit.unsigned_abs());
            self.literals.push(lit);
        }
        self.literals.push(0);
        self.clauses += 1;
    }

    /// The largest variable of a clause.
    pub fn variables(&self) -> u32 {
        self.variables
    }

    /// How many clauses there are.
    pub fn len(&self) -> usize {
        self.clauses
    }

    /// Whether there is no clause.
    pub fn is_empty(&self) -> bool {
        self.clauses == 0
    }

    /// The clauses, the first of which a proof calls 1.
    pub fn clauses(&self) -> impl Iterator<Item = &[i32]> {
        let ended = self.literals.split_inclusive(|&lit| lit == 0);
        ended.map(|clause| &clause[..clause.len() - 1])
    }

    /// All literals of all clauses, each clause ended by 0.
    pub fn literals(&self) -> &[i32] {
        &self.literals
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clauses_come_back() {
        let mut formula = Formula::default();
        let clauses: [&[i32]; 4] = [&[1, -2], &[], &[3], &[-3, -3]];
        for clause in clauses {
            formula.add_clause(clause.iter().copied());
        }
        assert!(formula.clauses().eq(clauses));
        assert_eq!((formula.len(), formula.variables()), (4, 3));
    }
}
