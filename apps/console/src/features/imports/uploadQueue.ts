/** Uploads of files, a few at a time. One that fails is listed and does not stop the others. */

/** Files sent at once: while one waits for the server, another uses the connection. */
const AT_ONCE = 4
/** Listeners are notified of progress at most this often; milliseconds. */
const PACE_MS = 200

export type UploadState = 'waiting' | 'sending' | 'done' | 'failed' | 'cancelled'
export interface Upload {
  id: number
  file: File
  state: UploadState
  /** Bytes sent so far. */
  sent: number
  /** Why it failed, in words. */
  reason: string | undefined
  /** Whether another attempt may help: the file itself was not refused. */
  canRetry: boolean
}

/** A file that was not accepted. */
export class NotAccepted extends Error {
  readonly canRetry: boolean

  constructor(reason: string, canRetry: boolean) {
    super(reason)
    this.canRetry = canRetry
  }
}

export interface UploadQueue {
  /** The uploads as of the last notification; the same array until the next one. */
  uploads: () => readonly Upload[]
  subscribe: (listener: () => void) => () => void
  /** Add files. @param files `refused`: why a file is not sent, in words */
  add: (files: readonly { file: File; refused?: string }[]) => void
  cancel: (id: number) => void
  cancelAll: () => void
  retry: (ids: readonly number[]) => void
  /** Remove uploads that have ended. */
  clear: () => void
}

type Send = (file: File, signal: AbortSignal, sent: (bytes: number) => void) => Promise<void>

/** @param send rejects with `NotAccepted` @param order lower goes first */
export function uploadQueue(send: Send, order: (file: File) => number = () => 0): UploadQueue {
  let all: Upload[] = []
  let shown: readonly Upload[] = []
  let number = 0
  const underWay = new Map<number, AbortController>()
  const listeners = new Set<() => void>()
  let timer: ReturnType<typeof setTimeout> | undefined

  function notify(): void {
    clearTimeout(timer)
    timer = undefined
    shown = all.map((one) => ({ ...one }))
    for (const listener of listeners) listener()
  }
  const notifySoon = (): void => void (timer ??= setTimeout(notify, PACE_MS))

  function fill(): void {
    while (underWay.size < AT_ONCE) {
      const next = all.find(({ state }) => state === 'waiting')
      if (!next) break
      void run(next)
    }
  }

  async function run(upload: Upload): Promise<void> {
    const controller = new AbortController()
    underWay.set(upload.id, controller)
    Object.assign(upload, { state: 'sending', sent: 0, reason: undefined })
    try {
      await send(upload.file, controller.signal, (bytes) => {
        upload.sent = Math.min(bytes, upload.file.size)
        notifySoon()
      })
      Object.assign(upload, { state: 'done', sent: upload.file.size })
    } catch (error) {
      if (controller.signal.aborted) upload.state = 'cancelled'
      else
        Object.assign(upload, {
          state: 'failed',
          reason: (error as Error).message,
          canRetry: !(error instanceof NotAccepted) || error.canRetry,
        })
    } finally {
      underWay.delete(upload.id)
      fill()
      // Listeners are notified of the last one at once: the next step waits for it.
      if (underWay.size === 0) notify()
      else notifySoon()
    }
  }

  function stop(upload: Upload): void {
    underWay.get(upload.id)?.abort()
    if (upload.state === 'waiting') upload.state = 'cancelled'
  }

  return {
    uploads: () => shown,
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    add(files) {
      const added = files.map(({ file, refused }): Upload => ({
        id: ++number,
        file,
        state: refused === undefined ? 'waiting' : 'failed',
        sent: 0,
        reason: refused,
        canRetry: false,
      }))
      all = [...all, ...added.toSorted((a, b) => order(a.file) - order(b.file))]
      fill()
      notify()
    },
    cancel(id) {
      all.filter((one) => one.id === id).forEach(stop)
      notify()
    },
    cancelAll() {
      all.forEach(stop)
      notify()
    },
    retry(ids) {
      for (const one of all) if (ids.includes(one.id) && (one.state === 'failed' || one.state === 'cancelled')) one.state = 'waiting'
      fill()
      notify()
    },
    clear() {
      all = all.filter(({ state }) => state === 'waiting' || state === 'sending')
      notify()
    },
  }
}

export interface UploadSum {
  /** All files; those that were not sent do not count in `bytes`. */
  files: number
  done: number
  failed: number
  cancelled: number
  /** Files that wait or are being sent. */
  left: number
  bytes: number
  sent: number
}

export function sumOf(uploads: readonly Upload[]): UploadSum {
  const sum: UploadSum = { files: uploads.length, done: 0, failed: 0, cancelled: 0, left: 0, bytes: 0, sent: 0 }
  for (const { state, file, sent } of uploads) {
    if (state === 'done' || state === 'failed' || state === 'cancelled') sum[state]++
    else sum.left++
    if (state === 'failed' || state === 'cancelled') continue
    sum.bytes += file.size
    sum.sent += sent
  }
  return sum
}
