/** What terminals and other areas know of a person. */

/** `active`: enabled and within validity now. */

export interface PersonFacts {
  id: string
  name: string
  workNumber: string | null
  enabled: boolean
  /** Epoch milliseconds, both inclusive. */
  validFrom: number | null
  validTo: number | null
  groupId: string
  kind: string
  version: number
  active: boolean
  /** Access methods the person may use, of those of the access rules. Absent: all of them. */
  methods?: readonly number[]
  /** Changes when the credentials that the person shows instead of a face change. Absent for a person without credentials. */
  credentialsMark?: string
  /** Equal for the same human, as in `RecognisableContact`. Absent for a person without a phone, from which it follows. */
  human?: string
}
