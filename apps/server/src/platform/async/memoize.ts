/** Promises that several callers share. */

/**
 * Return a function that makes a value once for each key; concurrent and later callers get the same promise. A failure is forgotten, so
 * that the next caller tries again.
 * @param most number of values remembered; beyond it the oldest is forgotten, and made again on request
 */
export function memoize<Value>(make: (key: string) => Promise<Value>, most = Infinity): (key: string) => Promise<Value> {
  const made = new Map<string, Promise<Value>>()
  return (key) => {
    const cached = made.get(key)
    if (cached !== undefined) return cached
    const making = make(key)
    made.set(key, making)
    making.catch(() => made.delete(key))
    if (made.size > most) made.delete(made.keys().next().value!)
    return making
  }
}

/**
 * Return a function whose callers share a promise while it is pending; afterwards it is made again.
 * @param keyOf returns the key that callers who share have in common
 */
export function memoizePending<Arguments extends readonly unknown[], Value>(
  keyOf: (...args: Arguments) => unknown,
  make: (...args: Arguments) => Promise<Value>,
): (...args: Arguments) => Promise<Value> {
  const pending = new Map<unknown, Promise<Value>>()
  return (...args) => {
    const key = keyOf(...args)
    const shared = pending.get(key)
    if (shared !== undefined) return shared
    const making = make(...args).finally(() => pending.delete(key))
    pending.set(key, making)
    return making
  }
}
