/** Verdicts and state, reduced to what an audience may see. */
import { stateFor, verdictFor, type Audience } from '../http/disclosure.ts'
import type { Verdict } from '../passage/passage.ts'
import type { CheckDetails } from '../settings/check-details.ts'
import type { LocalSettings } from '../settings/local-settings.ts'
import type { SearchableHoldings } from '../store/holdings.ts'
import type { TerminalState } from '../state.ts'

export interface DisclosureParts {
  holdings: Pick<SearchableHoldings, 'person'>
  settings: Pick<LocalSettings, 'effective'>
  checkDetails: Pick<CheckDetails, 'shown'>
  state: () => TerminalState
}

export type NumberedVerdict = Verdict & { workNumber?: string }

export interface Disclosed {
  /** Add the person's work number to a verdict if the settings let the screen show it. */
  numbered(verdict: Verdict): NumberedVerdict
  /** @param holdsKey whether the caller has the key for programs */
  verdict(verdict: Verdict, holdsKey: boolean): ReturnType<typeof verdictFor>
  /** @param holdsKey whether the caller has the key for programs */
  state(holdsKey: boolean): ReturnType<typeof stateFor>
}

export function createDisclosed({ holdings, settings, checkDetails, state }: DisclosureParts): Disclosed {
  const audienceOf = (holdsKey: boolean): Audience => (holdsKey ? 'program' : checkDetails.shown() ? 'installer' : 'public')
  return {
    numbered(verdict) {
      const isShown = verdict.personId !== null && settings.effective().displayFields.includes('workNumber')
      const workNumber = isShown ? holdings.person(verdict.personId!)?.workNumber : undefined
      return workNumber === undefined ? verdict : { ...verdict, workNumber }
    },
    verdict: (verdict, holdsKey) => verdictFor(verdict, audienceOf(holdsKey), settings.effective().displayFields),
    state: (holdsKey) => stateFor(state(), audienceOf(holdsKey), checkDetails.shown()),
  }
}
