/**
 * Frames on their way to the engine, one at a time. Uploaded pictures wait their turn; of a camera's stream only the latest frame waits,
 * because an old frame shows nobody who is still there.
 */

/** A newer frame of the stream replaced this one, or too many pictures wait. */
export class FrameDropped extends Error {
  override readonly name = 'FrameDropped'
  readonly why: 'superseded' | 'busy'
  constructor(why: 'superseded' | 'busy') {
    super(why === 'superseded' ? 'A newer frame took its place.' : 'Too many pictures wait.')
    this.why = why
  }
}

export interface FrameQueue {
  /**
   * Wait until the engine is free for this picture, then run `work`.
   * @throws FrameDropped `busy` when too many pictures wait
   */
  picture<T>(work: () => Promise<T>): Promise<T>
  /**
   * Do the same for a frame of a camera's stream.
   * @throws FrameDropped `superseded` when a newer frame came before its turn
   */
  frame<T>(work: () => Promise<T>): Promise<T>
}

interface Waiting {
  start: () => void
  drop: (why: 'superseded' | 'busy') => void
}

/** @param places number of pictures that may wait */
export function createFrameQueue(places = 64): FrameQueue {
  const pictures: Waiting[] = []
  let frame: Waiting | null = null
  let busy = false

  function proceed(): void {
    const next = pictures.shift() ?? frame
    if (next === frame) frame = null
    if (next) next.start()
    else busy = false
  }

  function turn(enqueue: (waiting: Waiting) => void): Promise<void> {
    if (!busy) {
      busy = true
      return Promise.resolve()
    }
    return new Promise((resolve, reject) => enqueue({ start: resolve, drop: (why) => reject(new FrameDropped(why)) }))
  }

  async function run<T>(waiting: Promise<void>, work: () => Promise<T>): Promise<T> {
    await waiting
    try {
      return await work()
    } finally {
      proceed()
    }
  }

  return {
    picture: (work) =>
      run(
        turn((waiting) => (pictures.length < places ? pictures.push(waiting) : waiting.drop('busy'))),
        work,
      ),
    frame: (work) =>
      run(
        turn((waiting) => {
          frame?.drop('superseded')
          frame = waiting
        }),
        work,
      ),
  }
}
