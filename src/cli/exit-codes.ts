/** What the exit code of every command means, and of the server when it does not start. Scripts rely on it: a code never changes its meaning. */
export const EXIT = {
  ok: 0,
  /** The answer is negative: a replay failed or is incomplete, a schema is not ready. */
  negative: 1,
  /** The command line, the configuration or the input is wrong; nothing was changed. */
  badInput: 2,
  /** The store cannot be opened, or does not answer. */
  unavailable: 3,
  /** A fault of the program itself. */
  fault: 4,
  /** Whoever read the output has gone (`| head`), as a shell tells it. */
  brokenPipe: 141,
} as const

export const EXIT_CODES_HELP = `
Exit codes:
  0  it is done, and the answer is good
  1  the answer is negative (a replay that fails or is incomplete, a schema that is not ready)
  2  the command line, the configuration or the input file is wrong
  3  the store cannot be opened, or does not answer
  4  a fault of gatehouse itself
\`gatehouse serve\` and \`node dist/server.js\` exit 0 after SIGTERM or SIGINT.
`
