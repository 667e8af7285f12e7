import type { ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'

type Work = (isSent: boolean) => void

const works = new WeakMap<ServerResponse, Work[]>()

/**
 * Calls once when the answer is sent, or can no longer be because the client went away. One listener for all that wait
 * for the same answer: each of its own costs more than what most of them do.
 */
export function whenOver({ raw }: FastifyReply, work: Work): void {
  const known = works.get(raw)
  if (known !== undefined) return void known.push(work)
  const waiting = [work]
  works.set(raw, waiting)
  const end = (isSent: boolean) => {
    for (const each of waiting.splice(0)) each(isSent)
  }
  raw.once('finish', () => end(true))
  raw.once('close', () => end(false))
}
