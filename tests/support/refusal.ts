import { CallRefused } from '@gatehouse/dev-env/client'

/** Return the refusal of a call; fail if the call succeeds. */
export async function refusalOf(work: Promise<unknown>): Promise<CallRefused> {
  const refusal = await work.then(
    () => null,
    (error: unknown) => error,
  )
  if (!(refusal instanceof CallRefused)) throw new Error(`not refused: ${String(refusal)}`)
  return refusal
}
