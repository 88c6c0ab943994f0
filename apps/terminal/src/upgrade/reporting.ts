/** Calls of the upgrade agent to the server, repeated until there is an answer. */
import { setTimeout as pause } from 'node:timers/promises'
import { upgradeCalls, type DeviceUpgrade, type UpgradeReport } from '@gatehouse/contract/upgrades/calls'
import { createBackoff } from '../async/backoff.ts'
import { isMissing, ServerAway, ServerRefused, type ServerClient } from '../device/server.ts'

/** The device must no longer work on the task. */
export class TaskOver extends Error {}

export interface ReportingOptions {
  client: ServerClient
  /** Milliseconds between attempts: the first and the longest wait; default 1 s and 30 s. */
  retry?: { first: number; limit: number } | undefined
  random: () => number
  /** Aborts all waiting. */
  signal: AbortSignal
}

export interface Reporting {
  /** Read a task. @throws TaskOver if it is gone */
  task(id: string): Promise<DeviceUpgrade>
  /** Fetch bytes of a task's package, `to` included. @throws TaskOver if the task is gone */
  download(id: string, range: { from: number; to: number }): Promise<Uint8Array>
  /** Report to the server; resolves once the report has arrived. @throws TaskOver if the server expects no more reports of this attempt */
  report(task: { id: string; attempt: number }, content: Omit<UpgradeReport, 'attempt'>): Promise<void>
}

export function createReporting({ client, retry, random, signal }: ReportingOptions): Reporting {
  /** Call until there is an answer. @throws TaskOver if the task is gone */
  async function answerTo<T>(ask: () => Promise<T>): Promise<T> {
    const backoff = createBackoff(retry?.first ?? 1_000, retry?.limit ?? 30_000, random)
    for (;;) {
      signal.throwIfAborted()
      try {
        return await ask()
      } catch (error) {
        if (isMissing(error)) throw new TaskOver()
        if (!(error instanceof ServerAway || error instanceof ServerRefused)) throw error
        await pause(backoff.next(), undefined, { signal })
      }
    }
  }

  return {
    task: (id) => answerTo(() => client.request(upgradeCalls.deviceUpgrade, { params: { id } }, { signal })),
    download: (id, range) => answerTo(() => client.download(upgradeCalls.devicePackage, { params: { id } }, { range, signal })),
    async report(task, content) {
      const { attempt, state } = await answerTo(() =>
        client.request(upgradeCalls.deviceReport, { params: { id: task.id }, body: { ...content, attempt: task.attempt } }, { signal }),
      )
      if (attempt !== task.attempt || (content.state === 'inProgress' && state !== 'inProgress')) throw new TaskOver()
    },
  }
}
