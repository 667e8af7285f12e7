import type { FastifyReply } from 'fastify'

/** Calls once when the answer is sent, or can no longer be because the client went away. */
export function whenOver({ raw }: FastifyReply, work: (isSent: boolean) => void): void {
  let isOver = false
  const end = (isSent: boolean) => {
    if (isOver) return
    isOver = true
    work(isSent)
  }
  raw.once('finish', () => end(true))
  raw.once('close', () => end(false))
}
