/**
 * What is made once for each key: everybody who asks meanwhile or later is given the same. A failure is forgotten, so that
 * whoever asks next tries again.
 * @param most how many are remembered; of more than those the oldest is made anew when it is asked for
 */
export function memoize<Value>(make: (key: string) => Promise<Value>, most = Infinity): (key: string) => Promise<Value> {
  const made = new Map<string, Promise<Value>>()
  return (key) => {
    const known = made.get(key)
    if (known !== undefined) return known
    const making = make(key)
    made.set(key, making)
    making.catch(() => made.delete(key))
    if (made.size > most) made.delete(made.keys().next().value!)
    return making
  }
}
