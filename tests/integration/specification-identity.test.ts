/** The calls of identity (M02), sent as the specification writes them. */
import { clientCalls } from '../support/specified/clients.ts'
import { ownAccountCalls } from '../support/specified/own-account.ts'
import { roleCalls } from '../support/specified/roles.ts'
import { sessionCalls } from '../support/specified/sessions.ts'
import { trySpecified } from '../support/specified/specified.ts'
import { tokenCalls } from '../support/specified/tokens.ts'
import { userCalls } from '../support/specified/users.ts'

// In a private deployment e-mail addresses are not verified.
trySpecified([...tokenCalls, ...sessionCalls, ...ownAccountCalls, ...userCalls, ...roleCalls, ...clientCalls], {
  config: { privatised: false },
})
