/** What may be done with an import, besides what a call's permission says. */
import type { PersonImport } from '@gatehouse/contract/imports/calls'

/**
 * Return what may be done with an import as it stands: one that runs is left alone until it has ended.
 * @param open rows a start would run
 */
export function importAbilities({ state }: Pick<PersonImport, 'state'>, open: number): PersonImport['can'] {
  const isRunning = state === 'running'
  return { change: !isRunning, start: !isRunning && open > 0, cancel: isRunning, delete: !isRunning }
}
