;;; dunerules.el --- packs for dunerules, with eglot -*- lexical-binding: t -*-

;; Emacs 29 has eglot; for Emacs 28, install it from GNU ELPA or, in Debian, as elpa-eglot.
;; (load "/path/to/dunerules.el") in ~/.emacs.d/init.el

(require 'eglot)

(define-derived-mode dunerules-mode text-mode "Dunerules"
  "A file of a pack for dunerules, which is YAML."
  (setq-local comment-start "# ")
  (setq-local indent-tabs-mode nil))

(defun dunerules-turn-on ()
  "Use `dunerules-mode' in a YAML file of a pack."
  (when (and buffer-file-name
             (string-suffix-p ".yaml" buffer-file-name)
             (locate-dominating-file buffer-file-name "pack.yaml"))
    (dunerules-mode)
    (eglot-ensure)))

(add-hook 'find-file-hook #'dunerules-turn-on)
(add-to-list 'eglot-server-programs '(dunerules-mode . ("dunerules" "server")))
(add-to-list 'project-find-functions
             (lambda (folder)
               (let ((root (locate-dominating-file folder "pack.yaml")))
                 (and root (cons 'transient root)))))

;;; dunerules.el ends here
