/** The form of the policy: its fields as the call's body names them, filled from the policy that holds. */
import type { InputOf } from '@gatehouse/contract'
import { monitorPrecision } from '@gatehouse/contract/enums/alarms'
import type { FacePolicy, facePolicyCalls } from '@gatehouse/contract/faces/policy'
import type { FacePurpose, Precision } from '@gatehouse/contract/faces/precision'

/** The version goes along with the values it belongs to: what was changed elsewhere meanwhile is refused, never overwritten. */
export type PolicyValues = InputOf<typeof facePolicyCalls.change.body>

/** How strict one purpose is, as its field holds it. */
export type Strictness = PolicyValues[FacePurpose]

export const policyValuesOf = ({
  purposes,
  margin,
  lookAlikeMargin,
  photosWanted,
  liveness: { mode, threshold },
  version,
}: FacePolicy): PolicyValues => {
  const of = Object.fromEntries(
    purposes.map(({ purpose, precision, custom }) => [purpose, { precision: precision as Precision, custom }]),
  ) as Record<FacePurpose, Strictness>
  return { ...of, margin, lookAlikeMargin, photosWanted, liveness: { mode, threshold }, version }
}

/** The raw score a purpose's fields ask for; the presets' scores come with the policy. */
export function scoreAsked({ purposes }: FacePolicy, purpose: FacePurpose, { precision, custom }: Strictness): number {
  const known = purposes.find((other) => other.purpose === purpose)
  const preset = known?.presets.find((other) => other.precision === precision)
  return (precision === monitorPrecision.custom ? custom : preset?.score) ?? known?.score ?? 0
}
