/** State of the upgrade agent that its parts share. */

/** The current upgrade, for a screen. */
export interface UpgradeShown {
  versionNumber: string
  content: string
  step: 'downloading' | 'checking' | 'prompt' | 'installing'
  /** Percent of the download. */
  progress: number
}

export interface AgentState {
  shown(): UpgradeShown | null
  show(next: UpgradeShown | null): void
  /** Return the id of the task the server named last and that has not been started; null if there is none. */
  requested(): string | null
  request(taskId: string): void
  /** Return the requested task, which counts as started from then on. */
  takeRequest(): string | null
  isAgreed(): boolean
  agree(): void
  forgetAgreement(): void
  /** Return whether the program is about to be restarted. */
  isLeaving(): boolean
  leave(): void
}

/** @param onChange called whenever the displayed state changes */
export function createAgentState(onChange: () => void): AgentState {
  let shown: UpgradeShown | null = null
  let requested: string | null = null
  let isAgreed = false
  let isLeaving = false
  return {
    shown: () => shown,
    show(next) {
      shown = next
      onChange()
    },
    requested: () => requested,
    request(taskId) {
      requested = taskId
    },
    takeRequest() {
      const taskId = requested
      requested = null
      return taskId
    },
    isAgreed: () => isAgreed,
    agree() {
      isAgreed = true
    },
    forgetAgreement() {
      isAgreed = false
    },
    isLeaving: () => isLeaving,
    leave() {
      isLeaving = true
    },
  }
}
