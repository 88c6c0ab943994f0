/** The calls of identity (M02), asked as the specification writes them. */
import { clientCalls } from '../support/specified/clients.ts'
import { ownAccountCalls } from '../support/specified/own-account.ts'
import { roleCalls } from '../support/specified/roles.ts'
import { sessionCalls } from '../support/specified/sessions.ts'
import { trySpecified } from '../support/specified/specified.ts'
import { tokenCalls } from '../support/specified/tokens.ts'
import { userCalls } from '../support/specified/users.ts'

// In a private deployment no e-mail address is checked.
trySpecified([...tokenCalls, ...sessionCalls, ...ownAccountCalls, ...userCalls, ...roleCalls, ...clientCalls], {
  config: { privatised: false },
})
