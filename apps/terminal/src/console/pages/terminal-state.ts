/** The state that the terminal shows to any caller, and so to its own screen. */

export interface TerminalState {
  code: string
  version: string
  device: { name: string } | null
}

/** Return the state of the terminal; null while it does not answer. */
export async function terminalState(): Promise<TerminalState | null> {
  try {
    return (await (await fetch('/state')).json()) as TerminalState
  } catch {
    return null
  }
}
