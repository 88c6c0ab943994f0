/** The calls of devices (M06), sent as the specification writes them. */
import { deviceControlCalls } from '../support/specified/device-control.ts'
import { deviceSettingCalls } from '../support/specified/device-settings.ts'
import { deviceTreeCalls } from '../support/specified/device-trees.ts'
import { deviceUpgradeCalls } from '../support/specified/device-upgrades.ts'
import { trySpecified } from '../support/specified/specified.ts'

trySpecified([...deviceTreeCalls, ...deviceSettingCalls, ...deviceControlCalls, ...deviceUpgradeCalls])
