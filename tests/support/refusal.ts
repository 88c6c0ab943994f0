import { CallRefused } from '@gatehouse/dev-env/client'

/** The refusal of a call that must be refused. */
export async function refusalOf(work: Promise<unknown>): Promise<CallRefused> {
  const refusal = await work.then(
    () => null,
    (error: unknown) => error,
  )
  if (!(refusal instanceof CallRefused)) throw new Error(`not refused: ${String(refusal)}`)
  return refusal
}
