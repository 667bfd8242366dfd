// The peers in Node: a program beside this file that takes the platform's origin and prints its port.
import { join } from 'node:path'
import { start } from '../child.mjs'

const peer = (name, about) => ({
  name,
  about,
  async start({ platform, ...where }) {
    const program = join(import.meta.dirname, `${name}-server.mjs`)
    const child = await start([process.execPath, program, platform], where)
    return { child, origin: `http://127.0.0.1:${await child.firstLine}`, headers: {} }
  },
})

export const proxy = peer('proxy', '@fastify/http-proxy, passing through')
export const express = peer('express', 'Express + jsona')
export const undici = peer('undici', 'undici alone')
