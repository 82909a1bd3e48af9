/** The privacy policy of a server whose staff has written none: what the program itself does with personal data. */

export const defaultPrivacyPolicy = {
  /** When this text was last changed; clients expect a time. */
  updatedAt: Date.UTC(2026, 10, 22),
  content: `<p>The staff of this server has not published a privacy policy. This is what the software does.</p>
<h2>What is stored</h2>
<ul>
<li>Your account: name, e-mail address, a hash of your password, and what you write into your profile.</li>
<li>What you post, favourite, boost and follow, and whom you block or mute, until you delete it.</li>
<li>The applications that you let use your account, and the days on which you used the server.</li>
</ul>
<h2>Who sees it</h2>
<ul>
<li>Public and unlisted posts: everybody. Posts for followers and direct posts: those that they are for, and the servers
of those people, which have rules of their own.</li>
<li>Your e-mail address and password are never given to other servers or to other people.</li>
<li>The operators of this server can read everything that is stored on it, direct posts too.</li>
</ul>
<h2>Cookies</h2>
<p>One cookie keeps you signed in on these pages. There are none for advertising or measurement.</p>`,
} as const;
