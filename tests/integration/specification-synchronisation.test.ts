/** The calls for the synchronisation of people to devices (M07), sent as the specification writes them. */
import { trySpecified } from '../support/specified/specified.ts'
import { synchronisationCalls } from '../support/specified/synchronisation.ts'

trySpecified([...synchronisationCalls])
