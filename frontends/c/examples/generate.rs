//! Prints a C program of N units, 41 lines each, for measuring the front end: `generate N`. Every unit
//! has structs, a list in a static pool, nested loops, a switch with fall-through and a goto.

const UNIT: &str = "static struct node pool@[8];
static int count@;
static struct node *new@(int v)
{
  struct node *n = &pool@[count@++];
  n->value = v;
  n->next = 0;
  for (int i = 0; i < 4; i++)
    n->data[i] = v + i;
  return n;
}
static int work@(int a, unsigned b)
{
  struct node *head = 0;
  int sum = 0;
  for (int i = 0; i < 8; i++) {
    struct node *n = new@(a + i);
    n->next = head;
    head = n;
  }
  for (struct node *n = head; n; n = n->next) {
    switch (n->value & 3) {
    case 0:
      sum += n->data[1];
      break;
    case 1:
      sum -= b;
    case 2:
      sum ^= n->data[2] << 1;
      break;
    default:
      if (sum > 100)
        goto out;
    }
    while (sum > 1000)
      sum /= 3;
  }
out:
  return sum;
}
";

fn main() {
    let units = std::env::args().nth(1).and_then(|n| n.parse::<u32>().ok());
    let Some(units) = units else {
        eprintln!("usage: generate N");
        std::process::exit(2);
    };
    println!("extern int nondet(void);");
    println!("struct node {{ int value; struct node *next; int data[4]; }};");
    for n in 0..units {
        print!("{}", UNIT.replace('@', &n.to_string()));
    }
    println!("int main(void)\n{{\n  int s = 0;");
    for n in 0..units {
        println!("  s += work{n}(nondet(), {n});");
    }
    println!("  return s;\n}}");
}
