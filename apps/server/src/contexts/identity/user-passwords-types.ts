/** A password that was made for another user. */

/** A password that another person receives: by the answer, or by an e-mail. */

export interface HandedPassword {
  id: string
  initialPassword?: string
  sentTo?: string
}
