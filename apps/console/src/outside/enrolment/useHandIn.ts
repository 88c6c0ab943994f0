/** The requirements of a link, and the calls that hand a photograph in. */
import { useEffect, useState } from 'react'
import { code, type OutputOf } from '@gatehouse/contract'
import { enrolmentCalls } from '@gatehouse/contract/enrolment/calls'
import type { faceBox } from '@gatehouse/contract/faces/calls'
import { exchange, type AnswerOf } from '../../api/http.ts'
import { Refusal } from '../../api/refusal.ts'

export type OpenedLink = AnswerOf<typeof enrolmentCalls.open>
export type FaceBox = OutputOf<typeof faceBox>
export type Stage =
  | { at: 'opening' }
  | { at: 'ended' }
  | { at: 'unreachable'; refusal: Refusal }
  | { at: 'form'; link: OpenedLink }
  | { at: 'done'; link: OpenedLink }
/** Why a photograph was refused. `boxes`: several people are on the picture, one has to be chosen. */
export interface Trouble {
  refusal: Refusal
  boxes: FaceBox[]
  /** The refusal concerns the second photograph: the first was accepted. */
  ofSecond: boolean
}
export interface Filled {
  name: string
  workNumber: string
  phone: string
  gender: number
  consent: boolean
}

const isEnded = ({ fields }: Refusal): boolean => fields.some(({ path }) => path === 'token')

function boxesOf({ code: number, data }: Refusal): FaceBox[] {
  const faces = number === code.multipleFaces ? data['faces'] : []
  return Array.isArray(faces) ? faces.map((face: { box: FaceBox }) => face.box) : []
}

export function useHandIn(token: string) {
  const [stage, setStage] = useState<Stage>({ at: 'opening' })
  const [trouble, setTrouble] = useState<Trouble>()
  const [sending, setSending] = useState(false)
  const [tries, setTries] = useState(0)

  useEffect(() => {
    exchange(enrolmentCalls.open, { body: { token } }).then(
      (link) => setStage({ at: 'form', link }),
      // A damaged address counts as an ended link.
      (error: unknown) => error instanceof Refusal && setStage(isEnded(error) ? { at: 'ended' } : { at: 'unreachable', refusal: error }),
    )
  }, [token, tries])

  /** Send the photographs. Sending again replaces what was handed in before, including the second photograph. */
  async function send(
    link: OpenedLink,
    photo: Blob,
    { consent, gender, ...filled }: Filled,
    { faceIndex, second }: { faceIndex: number | undefined; second: Blob | undefined },
  ): Promise<void> {
    setSending(true)
    setTrouble(undefined)
    const who = link.personName === '' ? { ...filled, gender } : {}
    let isTaken = false
    try {
      const body = { ...who, consent: consent ? ('true' as const) : ('false' as const), faceIndex }
      const { id } = await exchange(enrolmentCalls.submit, { linkToken: token, body, file: photo })
      isTaken = true
      if (second) await exchange(enrolmentCalls.submitSecond, { linkToken: token, body: { applicationId: id }, file: second })
      setStage({ at: 'done', link })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      if (isEnded(error)) setStage({ at: 'ended' })
      else setTrouble({ refusal: error, boxes: isTaken ? [] : boxesOf(error), ofSecond: isTaken })
    } finally {
      setSending(false)
    }
  }

  return {
    stage,
    trouble,
    sending,
    send,
    forget: () => setTrouble(undefined),
    again: () => {
      setStage({ at: 'opening' })
      setTries((before) => before + 1)
    },
    another: (link: OpenedLink) => setStage({ at: 'form', link }),
  }
}
