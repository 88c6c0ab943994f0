/** The calls on how far people have reached devices (M07), asked as the specification writes them. */
import { trySpecified } from '../support/specified/specified.ts'
import { synchronisationCalls } from '../support/specified/synchronisation.ts'

trySpecified([...synchronisationCalls])
