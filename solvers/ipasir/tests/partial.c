/* An IPASIR library that lacks two symbols. */
const char *ipasir_signature (void) { return "partial"; }
void *ipasir_init (void) { return 0; }
void ipasir_release (void *p) { (void) p; }
void ipasir_add (void *p, int lit) { (void) p, (void) lit; }
void ipasir_assume (void *p, int lit) { (void) p, (void) lit; }
int ipasir_solve (void *p) { (void) p; return 0; }
int ipasir_val (void *p, int lit) { (void) p, (void) lit; return 0; }
