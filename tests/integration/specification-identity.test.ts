/** The calls of identity (M02), asked as the specification writes them. */
import { roleCalls } from '../support/specified/roles.ts'
import { trySpecified } from '../support/specified/specified.ts'

trySpecified([...roleCalls])
