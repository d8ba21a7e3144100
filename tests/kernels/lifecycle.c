// Globals, constructors in the order of their priorities, destructors.
#include <oarlock/kernel.h>

int counter = 5;
const int table[4] = {1, 2, 3, 4};
int uninitialised[16];

// Constructors append their number. Volatile, so that no optimiser runs them beforehand.
volatile int order[8];
volatile int built;

__attribute__((constructor(300))) static void third(void) { order[built++] = 3; }
__attribute__((constructor(101))) static void first(void) { order[built++] = 1; }
__attribute__((constructor)) static void last(void) { order[built++] = 4; }
__attribute__((constructor(200))) static void second(void) { order[built++] = 2; }

// Destructors append theirs to a log that outlives the program: a count, then the numbers.
int *log_of_end;

static void append(int n) {
  if (log_of_end)
    log_of_end[++log_of_end[0]] = n;
}

__attribute__((destructor(101))) static void end_first_built(void) { append(1); }
__attribute__((destructor(200))) static void end_second_built(void) { append(2); }
__attribute__((destructor)) static void end_last_built(void) { append(4); }

OARLOCK_KERNEL void watch(int *log) { log_of_end = log; }
OARLOCK_KERNEL void add(int n) { counter += n; }
OARLOCK_KERNEL void read_counter(int *out) { *out = counter; }
