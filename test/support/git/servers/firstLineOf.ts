import type { ChildProcess } from 'node:child_process';

/** Returns the first line printed by a program. @throws Error when it ends before */
export function firstLineOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')).trim());
    });
    child.once('error', reject);
    child.once('exit', (code, signal) =>
      reject(new Error(`The program ended with ${code ?? signal} before it said anything.`)),
    );
  });
}
